// An ES module, as its types say: those who load the package with require() get one, too.
export { startNetwork } from '../dist/bundle/index.cjs'
