import { globalNetwork } from '@understudy/testing'

// biome-ignore lint/style/noDefaultExport: vitest asks for it.
export default globalNetwork({ from: process.env.RECORDING, offline: true, keepOnFailure: true })
