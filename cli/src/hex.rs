//! Bytes as hexadecimal digits.

/// Lower-case digits, two for each byte.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The digits of 32 random bytes: nobody else has them, and nobody can guess them.
///
/// # Errors
/// The system gives no random numbers.
pub fn random() -> Result<String, String> {
    let mut bytes = [0; 32];
    let filled = getrandom::fill(&mut bytes);
    filled.map_err(|error| format!("the system provides no random numbers: {error}"))?;
    Ok(hex(&bytes))
}
