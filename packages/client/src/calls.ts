/** Reads calls in the forms that wallets, Safes and files have them in, as `dev_simulate` takes them. */
export type { CallReader, CallText, Given } from './calls/callText.ts'
export { CallTextError } from './calls/fields.ts'
export { readCalls } from './calls/readCalls.ts'
