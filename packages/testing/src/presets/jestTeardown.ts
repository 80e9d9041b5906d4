import { stopGlobalNetwork } from '../globalNetwork.ts'

/** For Jest's `globalTeardown`: Jest does not call what the set-up returned. */
// biome-ignore lint/style/noDefaultExport: Jest asks for it.
export default stopGlobalNetwork
