//! English number format and units.

use crate::number::Format;

/// English number format and units.
pub static ENGLISH: Format =
    Format { thousands: ",", decimal: ".", second: "s", minute: "min", hour: "h", day: "d" };
