//! From latitude and longitude to local metres and back.
//!
//! The local frame is UTM (transverse Mercator on the GRS80 ellipsoid) minus a round offset. The
//! series is Krüger's to the fourth order, good to a millimetre over a zone. It uses `libm`, not
//! the platform's mathematics, so that every machine gets the same centimetres. NAD83 and WGS84
//! are taken as one: they differ by about a metre, less than any line on the ground is sure.

use serde::{Deserialize, Serialize};

use crate::point::Point;

const SCALE: f64 = 0.9996;
const FALSE_EASTING: f64 = 500_000.0;
const SEMI_MAJOR: f64 = 6_378_137.0;
const FLATTENING: f64 = 1.0 / 298.257_222_101;

/// Latitude and longitude in ten-millionths of a degree, about a centimetre.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LatLon {
    /// Latitude, north positive.
    pub lat: i32,
    /// Longitude, east positive.
    pub lon: i32,
}

impl LatLon {
    /// From degrees.
    pub fn from_degrees(lat: f64, lon: f64) -> LatLon {
        LatLon {
            lat: libm::round(lat * 1e7) as i32,
            lon: libm::round(lon * 1e7) as i32,
        }
    }

    /// Latitude in degrees.
    pub fn latitude(self) -> f64 {
        f64::from(self.lat) / 1e7
    }

    /// Longitude in degrees.
    pub fn longitude(self) -> f64 {
        f64::from(self.lon) / 1e7
    }
}

impl std::fmt::Display for LatLon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.5}, {:.5}", self.latitude(), self.longitude())
    }
}

/// The local frame: a UTM zone of the northern half and the point of it that counts as (0, 0).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Projection {
    /// UTM zone, 1 to 60.
    pub zone: u8,
    /// Easting of the local origin in metres.
    pub easting: f64,
    /// Northing of the local origin in metres.
    pub northing: f64,
}

/// The constants of the series, which depend on the ellipsoid alone.
struct Series {
    /// Rectifying radius times scale.
    radius: f64,
    eccentricity: f64,
    forward: [f64; 4],
    backward: [f64; 4],
    latitude: [f64; 4],
}

fn series() -> Series {
    let n = FLATTENING / (2.0 - FLATTENING);
    let (n2, n3, n4) = (n * n, n * n * n, n * n * n * n);
    Series {
        radius: SCALE * SEMI_MAJOR / (1.0 + n) * (1.0 + n2 / 4.0 + n4 / 64.0),
        eccentricity: libm::sqrt(FLATTENING * (2.0 - FLATTENING)),
        forward: [
            n / 2.0 - 2.0 / 3.0 * n2 + 5.0 / 16.0 * n3 + 41.0 / 180.0 * n4,
            13.0 / 48.0 * n2 - 3.0 / 5.0 * n3 + 557.0 / 1440.0 * n4,
            61.0 / 240.0 * n3 - 103.0 / 140.0 * n4,
            49_561.0 / 161_280.0 * n4,
        ],
        backward: [
            n / 2.0 - 2.0 / 3.0 * n2 + 37.0 / 96.0 * n3 - n4 / 360.0,
            n2 / 48.0 + n3 / 15.0 - 437.0 / 1440.0 * n4,
            17.0 / 480.0 * n3 - 37.0 / 840.0 * n4,
            4_397.0 / 161_280.0 * n4,
        ],
        latitude: [
            2.0 * n - 2.0 / 3.0 * n2 - 2.0 * n3 + 116.0 / 45.0 * n4,
            7.0 / 3.0 * n2 - 8.0 / 5.0 * n3 - 227.0 / 45.0 * n4,
            56.0 / 15.0 * n3 - 136.0 / 35.0 * n4,
            4_279.0 / 630.0 * n4,
        ],
    }
}

impl Projection {
    fn central_meridian(&self) -> f64 {
        (f64::from(self.zone) * 6.0 - 183.0).to_radians()
    }

    /// The point of a latitude and longitude in degrees, rounded to the centimetre.
    pub fn project(&self, lat: f64, lon: f64) -> Point {
        let s = series();
        let phi = lat.to_radians();
        let lambda = lon.to_radians() - self.central_meridian();
        let e = s.eccentricity;
        let sine = libm::sin(phi);
        let t = libm::sinh(libm::atanh(sine) - e * libm::atanh(e * sine));
        let xi = libm::atan2(t, libm::cos(lambda));
        let eta = libm::atanh(libm::sin(lambda) / libm::sqrt(1.0 + t * t));
        let (mut x, mut y) = (eta, xi);
        for (index, a) in s.forward.iter().enumerate() {
            let k = 2.0 * (index + 1) as f64;
            x += a * libm::cos(k * xi) * libm::sinh(k * eta);
            y += a * libm::sin(k * xi) * libm::cosh(k * eta);
        }
        let east = FALSE_EASTING + s.radius * x;
        Point::from_metres(east - self.easting, s.radius * y - self.northing)
    }

    /// The latitude and longitude of a point.
    pub fn unproject(&self, point: Point) -> LatLon {
        let s = series();
        let east = f64::from(point.x) / 100.0 + self.easting;
        let north = f64::from(point.y) / 100.0 + self.northing;
        let (xi, eta) = (north / s.radius, (east - FALSE_EASTING) / s.radius);
        let (mut xi1, mut eta1) = (xi, eta);
        for (index, b) in s.backward.iter().enumerate() {
            let k = 2.0 * (index + 1) as f64;
            xi1 -= b * libm::sin(k * xi) * libm::cosh(k * eta);
            eta1 -= b * libm::cos(k * xi) * libm::sinh(k * eta);
        }
        let chi = libm::asin(libm::sin(xi1) / libm::cosh(eta1));
        let mut phi = chi;
        for (index, d) in s.latitude.iter().enumerate() {
            phi += d * libm::sin(2.0 * (index + 1) as f64 * chi);
        }
        let lambda = libm::atan2(libm::sinh(eta1), libm::cos(xi1));
        LatLon::from_degrees(
            phi.to_degrees(),
            (lambda + self.central_meridian()).to_degrees(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{LatLon, Point, Projection};

    const FRAME: Projection = Projection {
        zone: 18,
        easting: 304_208.02,
        northing: 4_404_534.27,
    };

    /// Places whose latitude, longitude and local metres are known from independent survey.
    const PLACES: [(&str, f64, f64, i32, i32); 8] = [
        ("the Diamond", 39.83090, -77.23101, 4875, 6835),
        ("the Angle", 39.81319, -77.23606, 4394, 4881),
        ("Little Round Top", 39.79200, -77.23630, 4315, 2529),
        ("Culp's Hill", 39.82003, -77.22032, 5760, 5606),
        ("Oak Hill", 39.84825, -77.24330, 3872, 8788),
        (
            "Hanover and Low Dutch roads",
            39.81696,
            -77.16577,
            10421,
            5151,
        ),
        ("Greenmount", 39.76583, -77.27234, 1155, -297),
        ("Cashtown", 39.88389, -77.35861, -5889, 12998),
    ];

    /// Surveyed markers, known to the decimetre.
    const MARKERS: [(&str, f64, f64, f64, f64); 4] = [
        ("69th Pennsylvania", 39.812611, -77.236278, 4374.3, 4817.4),
        ("Rorty's battery", 39.810639, -77.235778, 4411.7, 4597.4),
        ("155th Pennsylvania", 39.792981, -77.236518, 4299.3, 2638.9),
        ("107th New York", 39.814772, -77.216625, 6062.7, 5015.4),
    ];

    #[test]
    fn surveyed_markers_fall_within_a_metre() {
        for (name, lat, lon, x, y) in MARKERS {
            let found = FRAME.project(lat, lon);
            assert!(
                found.distance(Point::from_metres(x, y)) <= 60,
                "{name}: {found:?}"
            );
        }
    }

    #[test]
    fn known_places_fall_where_they_should() {
        for (name, lat, lon, x, y) in PLACES {
            let found = FRAME.project(lat, lon);
            let expected = Point::new(x * 100, y * 100);
            // Five decimals of a degree and whole metres leave a metre and a half of doubt.
            assert!(
                found.distance(expected) <= 160,
                "{name}: {found:?} for {expected:?}"
            );
        }
    }

    #[test]
    fn the_way_back_is_exact_to_centimetres() {
        for (name, lat, lon, ..) in PLACES {
            let back = FRAME.unproject(FRAME.project(lat, lon));
            let expected = LatLon::from_degrees(lat, lon);
            assert!((back.lat - expected.lat).abs() <= 2, "{name}: {back}");
            assert!((back.lon - expected.lon).abs() <= 2, "{name}: {back}");
        }
    }
}
