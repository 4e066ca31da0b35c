/** Constants of the local header, which precedes each entry's content (APPNOTE.TXT 4.3.7). */

/** Its signature, as a number. */
export const LOCAL_HEADER = 0x04034b50;
/** Its length without the name and the extra fields. */
export const LOCAL_HEADER_BYTES = 30;
/** General purpose bits (4.4.4). */
export const ENCRYPTED = 0x1;
/** CRC and sizes follow the content. */
export const HAS_DESCRIPTOR = 0x8;
/** The size is in the 64-bit extra field. */
export const IN_ZIP64 = 0xffffffff;
