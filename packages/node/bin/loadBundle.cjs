// Loads the bundle with the compiled code of an earlier start: to compile it again takes a third of a start.
// `module.enableCompileCache` does the same in later versions than Node.js 20.
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs')
const { Module, createRequire, enableCompileCache } = require('node:module')
const { dirname, join } = require('node:path')
const { setFlagsFromString } = require('node:v8')
const { Script, constants } = require('node:vm')

const bundle = join(__dirname, '../dist/bundle')
// Not in the folder for temporary files, which other users can write to.
const cache = join(__dirname, '../dist/compile-cache')
const modules = new Map()
/** Scripts whose compiled code is not stored, or is that of another version. */
const unknown = new Map()

function load(file) {
  const known = modules.get(file)
  if (known) return known.exports
  const path = join(bundle, file)
  // Compiled code is of one build of the file: V8 itself compares only its length.
  const cachePath = join(cache, `${file}-${statSync(path).mtimeMs}-${process.version}-${process.arch}`)
  const cachedData = readIfThere(cachePath)
  const script = new Script(Module.wrap(readFileSync(path, 'utf8')), {
    filename: path,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  if (!cachedData || script.cachedDataRejected) unknown.set(cachePath, script)
  const module = { exports: {} }
  modules.set(file, module)
  const fromHere = createRequire(path)
  const requireFrom = (id) => (id.startsWith('./') ? load(id.slice(2)) : fromHere(id))
  Object.assign(requireFrom, fromHere)
  script.runInThisContext().call(module.exports, module.exports, requireFrom, module, path, dirname(path))
  return module.exports
}

function readIfThere(path) {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** With the functions that have run. */
function store() {
  try {
    if (unknown.size > 0) mkdirSync(cache, { recursive: true })
    for (const [cachePath, script] of unknown) {
      const temporary = `${cachePath}.${process.pid}`
      writeFileSync(temporary, script.createCachedData())
      renameSync(temporary, cachePath)
    }
  } catch {
    // The folder is not ours to write: every start compiles.
  }
}

// Optimizes functions earlier than usual. The work of a transaction is spread over many functions, and a network that runs
// for a test does each a few hundred times. What they are optimized by is collected from their first call on.
setFlagsFromString('--no-lazy-feedback-allocation')
if (enableCompileCache) {
  setFlagsFromString('--invocation-count-for-maglev=50')
  setFlagsFromString('--invocation-count-for-turbofan=300')
  setFlagsFromString('--minimum-invocations-after-ic-update=50')
  enableCompileCache(cache)
  require(join(bundle, 'main.cjs'))
} else {
  setFlagsFromString('--interrupt-budget=10000')
  process.once('exit', store)
  load('main.cjs')
}
