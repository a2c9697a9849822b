//! Enums that are single words in files, tables and on the command line.

/// Declares an enum of words: one list gives its serde names, its [`Display`](std::fmt::Display)
/// and its parser, so that RON, CSV and the command line cannot drift apart.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$line:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash,
            serde::Serialize, serde::Deserialize,
        )]
        pub enum $name {
            $($(#[$line])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// Every value, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The value as one word, as files spell it.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.word())
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<$name, String> {
                let found = $name::ALL.iter().find(|value| value.word() == text);
                found.copied().ok_or_else(|| {
                    let words: Vec<&str> = $name::ALL.iter().map(|value| value.word()).collect();
                    let hint = match cupola_data::nearest(text, words.iter().copied()) {
                        Some(word) => format!("; did you mean \"{word}\"?"),
                        None => String::new(),
                    };
                    format!("\"{text}\" is none of {}{hint}", words.join(", "))
                })
            }
        }
    };
}
pub(crate) use words;
