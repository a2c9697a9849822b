//! Whom to believe at the other end of a line, in the words of PostgreSQL's own programs.
//!
//! `disable` never encrypts; `prefer`, which is meant if nothing is said, encrypts if the server can; `require` insists.
//! None of them asks who the server is, so they keep out whoever listens, not whoever stands in the server's place.
//! `verify-ca` wants a certificate of an issuer that we know, `verify-full` also that it is for the name in the address.

use postgres::config::SslMode;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};
use std::path::Path;
use std::sync::Arc;
use tokio_postgres_rustls::MakeRustlsConnect;

/// The word for the issuers that the machine itself believes.
const SYSTEM: &str = "system";

/// What of a certificate must be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Check {
    Nothing,
    Issuer,
    IssuerAndName,
}

/// Whether a line is encrypted and with whom, from `sslmode` and `sslrootcert`; `usual` is where the issuers are if
/// nothing is said.
///
/// # Errors
/// If there is no such mode, or the certificates cannot be read.
pub(crate) fn tls(
    mode: Option<&str>,
    roots: Option<&str>,
    usual: Option<&Path>,
) -> Result<(SslMode, MakeRustlsConnect), String> {
    let usual = usual.filter(|path| path.is_file()).and_then(Path::to_str);
    let roots = roots.or(usual);
    let system = roots == Some(SYSTEM);
    let (mode, check) = match mode {
        None if system => (SslMode::Require, Check::IssuerAndName),
        None | Some("prefer") if !system => (SslMode::Prefer, Check::Nothing),
        Some("disable") => (SslMode::Disable, Check::Nothing),
        Some("require") if roots.is_none() => (SslMode::Require, Check::Nothing),
        // Anybody may have a certificate of some issuer that all the world believes.
        Some("prefer" | "require" | "verify-ca") if system => {
            return Err("sslrootcert=system needs sslmode=verify-full".into());
        }
        Some("require" | "verify-ca") => (SslMode::Require, Check::Issuer),
        Some("verify-full") => (SslMode::Require, Check::IssuerAndName),
        _ => {
            return Err(
                "sslmode: expected disable, prefer, require, verify-ca or verify-full".into(),
            );
        }
    };
    let provider = Arc::new(ring::default_provider());
    let verifier: Arc<dyn ServerCertVerifier> = match (check, roots) {
        (Check::Nothing, _) => Arc::new(Anybody(provider.clone())),
        (_, None) => {
            let usual = "~/.postgresql/root.crt";
            return Err(format!(
                "who the server is cannot be checked: name the issuer's certificate with sslrootcert, or put it into {usual}"
            ));
        }
        (check, Some(file)) => Arc::new(
            Known::new(&provider, &certificates(file)?, check)
                .map_err(|why| format!("{file}: {why}"))?,
        ),
    };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|why| why.to_string())?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    Ok((mode, MakeRustlsConnect::new(config)))
}

fn certificates(file: &str) -> Result<Vec<CertificateDer<'static>>, String> {
    if file == SYSTEM {
        return Ok(rustls_native_certs::load_native_certs().certs);
    }
    let text = std::fs::read(file).map_err(|why| format!("{file}: {why}"))?;
    CertificateDer::pem_slice_iter(&text)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|why| format!("{file}: expected certificates in PEM: {why}"))
}

/// Believes whoever answers.
#[derive(Debug)]
struct Anybody(Arc<CryptoProvider>);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    // Whose signature it is was not asked, so it proves nothing; and old certificates must not keep anybody out.
    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

/// Believes those whose certificates come from issuers that we know.
#[derive(Debug)]
struct Known {
    issuers: Arc<WebPkiServerVerifier>,
    /// A certificate that lies in the file itself is the server's own, whoever signed it and whatever names it has.
    own: Vec<CertificateDer<'static>>,
    check: Check,
}

impl Known {
    fn new(
        provider: &Arc<CryptoProvider>,
        certificates: &[CertificateDer<'static>],
        check: Check,
    ) -> Result<Known, String> {
        let mut roots = RootCertStore::empty();
        let (added, _) = roots.add_parsable_certificates(certificates.iter().cloned());
        if added == 0 {
            return Err("there is no certificate in it that can be used".into());
        }
        let issuers =
            WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider.clone());
        Ok(Known {
            issuers: issuers.build().map_err(|why| why.to_string())?,
            own: certificates.to_vec(),
            check,
        })
    }
}

impl ServerCertVerifier for Known {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.own.contains(shown) {
            return Ok(ServerCertVerified::assertion());
        }
        let verified = self
            .issuers
            .verify_server_cert(shown, between, name, ocsp, now);
        match verified {
            // The issuer is looked at before the name.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if self.check == Check::Issuer => Ok(ServerCertVerified::assertion()),
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.issuers.verify_tls12_signature(message, shown, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.issuers.verify_tls13_signature(message, shown, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.issuers.supported_verify_schemes()
    }
}
