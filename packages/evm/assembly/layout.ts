// The map of linear memory. Every region has a stated size; who fills one past its end sets `exhausted` (see limits.ts) or
// runs out of gas, and never reaches the next region. Untouched pages cost no memory: the operating system has not given them.

const KIB: usize = 1024
const MIB: usize = 1024 * KIB

/** Work area of the arithmetic functions. */
export const SCRATCH: usize = 0x10000
/** Where host and engine hand each other short values, as big-endian bytes. */
export const EXCHANGE: usize = 0x11000
/** Values of the block and the transaction; see context.ts. */
export const CONTEXT: usize = 0x12000
/** The hashes of the transaction's blobs, one word each. */
export const BLOB_HASHES: usize = 0x13000
/** Precompiles that are elsewhere than at their addresses; see context.ts. */
export const MOVED: usize = 0x13800
export const MAX_MOVED: u32 = 50
/** One 64-bit row for each operation of the fork in force; see opcodes.ts. Written by the host. */
export const ROWS: usize = 0x14000
/** The prices in force, 64 bits each; see gas.ts. Written by the host. */
export const PRICES: usize = 0x14800
/** The stack of frames: 1025 of at most 256 bytes. */
export const FRAMES: usize = 0x20000

/** Hash tables: arrays of 32-bit pointers to the first entry of a chain. */
export const ACCOUNT_TABLE: usize = 0x80000
export const ACCOUNT_TABLE_BITS: u32 = 15
export const CODE_TABLE: usize = 0xa0000
export const CODE_TABLE_BITS: u32 = 13
/** Bits that say which functions may be overridden; see overrides.ts. */
export const OVERRIDE_FILTER: usize = 0xc0000
export const OVERRIDE_FILTER_BITS: u32 = 21
export const SLOT_TABLE: usize = 1 * MIB
export const SLOT_TABLE_BITS: u32 = 18

/** Pointers to the accounts and slots that this run touched, in the order of first touch. */
export const TOUCHED_ACCOUNTS: usize = 2 * MIB
export const TOUCHED_SLOTS: usize = 3 * MIB
export const MAX_TOUCHED: u32 = 0x40000

/** Memorised hashes of 64-byte inputs; see keccak.ts. */
export const HASH_CACHE: usize = 4 * MIB
/** Inputs of KECCAK256 that were collected. */
export const PREIMAGES: usize = 6 * MIB
export const PREIMAGES_END: usize = 14 * MIB

/** Buckets of 8 bytes. */
export const TRANSIENT_TABLE: usize = 14 * MIB
export const TRANSIENT_TABLE_BITS: u32 = 17

/** The marks of coverage that this run has reached. */
export const MARKS: usize = 15 * MIB
export const MARKS_END: usize = MARKS + 960 * KIB

/** The stacks of all frames, one below the other; they grow down. 1025 frames of 1024 words end above 15 MiB. */
export const STACK_TOP: usize = 48 * MIB
export const STACK_BYTES: usize = 32 * KIB

export const JOURNAL: usize = 48 * MIB
export const JOURNAL_END: usize = 144 * MIB
export const LOGS: usize = 144 * MIB
export const LOGS_END: usize = 176 * MIB
/** Call records, and the inputs and outputs that they point to. */
export const RECORDS: usize = 176 * MIB
export const RECORDS_END: usize = 200 * MIB
export const RECORD_BYTES: usize = 200 * MIB
export const RECORD_BYTES_END: usize = 232 * MIB
/** What the last finished call returned. */
export const RETURN_DATA: usize = 232 * MIB
/** The input of the message itself. */
export const INPUT: usize = 264 * MIB
export const INPUT_END: usize = 296 * MIB
/** Transient storage, emptied before every run. */
export const TRANSIENT: usize = 296 * MIB
export const TRANSIENT_END: usize = 392 * MIB
/** Accounts, slots and codes that stay from run to run until they are evicted. */
export const HEAP: usize = 392 * MIB
export const HEAP_END: usize = 648 * MIB
/** The memories of all frames, one above the other. After a run the result is laid out here for the host. */
export const MEMORY: usize = 648 * MIB
export const MEMORY_END: usize = 1648 * MIB
/** The most memory of one frame, and so of its return data: 32 MiB, for which 2.1 billion gas is due. */
export const MAX_FRAME_MEMORY: u64 = <u64>(32 * MIB)
