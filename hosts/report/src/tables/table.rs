//! A table of typed columns, as CSV and as Parquet.

use cupola_data::cell;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::sync::Arc;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Words.
    Text,
    /// Whole numbers.
    Whole,
    /// Numbers with three decimals in CSV, in full in Parquet.
    Real,
}

/// A column: its name and what it holds.
pub type Column = (&'static str, Kind);

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Words.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// Any other.
    Real(f64),
    /// Not known.
    Nothing,
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Real(number)
    }
}

macro_rules! whole {
    ($($of:ty)*) => {$(
        impl From<$of> for Value {
            fn from(number: $of) -> Value {
                Value::Whole(number as i64)
            }
        }
    )*};
}
whole!(i32 u32 i64 u64);

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(known: Option<T>) -> Value {
        known.map_or(Value::Nothing, Into::into)
    }
}

/// One row per observation.
#[derive(Clone, Debug, PartialEq)]
pub struct DataTable {
    /// The columns.
    pub head: Vec<Column>,
    /// The rows, each as long as the head.
    pub rows: Vec<Vec<Value>>,
}

impl DataTable {
    /// A table of some rows.
    #[must_use]
    pub fn new(head: &[Column], rows: impl IntoIterator<Item = Vec<Value>>) -> DataTable {
        DataTable {
            head: head.to_vec(),
            rows: rows.into_iter().collect(),
        }
    }

    /// As text that every program reads; what is not known is empty.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(vec![]);
        // Writing to memory cannot fail, and every row is as long as the head.
        let _ = writer.write_record(self.head.iter().map(|column| column.0));
        for row in &self.rows {
            let _ = writer.write_record(row.iter().map(|value| match value {
                Value::Text(text) => cell(text).into_owned(),
                Value::Whole(number) => number.to_string(),
                Value::Real(number) => format!("{number:.3}"),
                Value::Nothing => String::new(),
            }));
        }
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }

    /// As Parquet: every column may be null, nothing is compressed, and like tables are like bytes.
    ///
    /// # Errors
    /// If a cell is not of its column's kind.
    pub fn parquet(&self) -> Result<Vec<u8>> {
        let fields = self.head.iter().map(|(name, kind)| {
            let (physical, logical) = match kind {
                Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
                Kind::Whole => (Physical::INT64, None),
                Kind::Real => (Physical::DOUBLE, None),
            };
            let field = Type::primitive_type_builder(name, physical)
                .with_logical_type(logical)
                .with_repetition(Repetition::OPTIONAL);
            Ok(Arc::new(field.build()?))
        });
        let fields = fields.collect::<Result<Vec<_>>>()?;
        let schema = Type::group_type_builder("table").with_fields(fields);
        let settings = WriterProperties::builder().set_created_by("cupola".into());
        let mut writer = SerializedFileWriter::new(
            vec![],
            Arc::new(schema.build()?),
            Arc::new(settings.build()),
        )?;
        let mut rows = writer.next_row_group()?;
        let mut at = 0;
        while let Some(mut column) = rows.next_column()? {
            self.write_column(at, column.untyped())?;
            column.close()?;
            at += 1;
        }
        rows.close()?;
        writer.into_inner()
    }

    fn write_column(&self, at: usize, writer: &mut ColumnWriter) -> Result<()> {
        let cells = || self.rows.iter().map(|row| &row[at]);
        let known = |value: &Value| i16::from(*value != Value::Nothing);
        let levels: Vec<i16> = cells().map(known).collect();
        match writer {
            ColumnWriter::ByteArrayColumnWriter(writer) => {
                let texts = cells().filter_map(|value| match value {
                    Value::Text(text) => Some(ByteArray::from(text.as_str())),
                    _ => None,
                });
                let texts: Vec<ByteArray> = texts.collect();
                writer.write_batch(&texts, Some(&levels), None)?;
            }
            ColumnWriter::Int64ColumnWriter(writer) => {
                let numbers = cells().filter_map(|value| match value {
                    Value::Whole(number) => Some(*number),
                    _ => None,
                });
                writer.write_batch(&numbers.collect::<Vec<i64>>(), Some(&levels), None)?;
            }
            ColumnWriter::DoubleColumnWriter(writer) => {
                let numbers = cells().filter_map(|value| match value {
                    Value::Real(number) => Some(*number),
                    _ => None,
                });
                writer.write_batch(&numbers.collect::<Vec<f64>>(), Some(&levels), None)?;
            }
            _ => unreachable!("columns are of three kinds"),
        }
        Ok(())
    }
}

/// A row of cells of whatever they are made of.
macro_rules! row {
    ($($cell:expr),* $(,)?) => {
        vec![$($crate::tables::Value::from($cell)),*]
    };
}
pub(crate) use row;
