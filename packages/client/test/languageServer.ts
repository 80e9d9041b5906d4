import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ours = fileURLToPath(new URL('../../../node_modules', import.meta.url))

type Message = { id?: number; method?: string; params?: { items?: unknown[] }; result?: unknown; error?: unknown }

/** TypeScript's language server with one program, as an editor has it. */
export type LanguageServer = {
  /** What an editor shows at an offset of the program, as Markdown. */
  hover(offset: number): Promise<string>
  /** What may be written at an offset of the program, sorted. */
  completions(offset: number): Promise<string[]>
  /** What is wrong with the program. */
  problems(): Promise<string[]>
  stop(): Promise<void>
}

/** Starts the language server with a program, where packages are installed: by default those of this repository. */
export async function startLanguageServer(program: string, { modules = ours } = {}): Promise<LanguageServer> {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-editor-'))
  const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, types: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'program.ts'), program)
  symlinkSync(modules, join(folder, 'node_modules'))
  const child = spawn(process.execPath, [join(ours, 'typescript/bin/tsc'), '--lsp', '--stdio'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const exited = once(child, 'exit')
  const { request, notify } = connectionTo(child)
  const uri = pathToFileURL(join(folder, 'program.ts')).href
  const textDocument = { uri }
  const hover = { contentFormat: ['markdown'] }
  const capabilities = { textDocument: { hover, diagnostic: {} } }
  await request('initialize', { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities })
  notify('initialized', {})
  notify('textDocument/didOpen', { textDocument: { uri, languageId: 'typescript', version: 1, text: program } })
  const at = (offset: number) => {
    const lines = program.slice(0, offset).split('\n')
    return { textDocument, position: { line: lines.length - 1, character: (lines.at(-1) as string).length } }
  }
  return {
    async hover(offset) {
      const answer = await request('textDocument/hover', at(offset))
      return (answer as { contents: { value: string } } | null)?.contents.value ?? ''
    },
    async completions(offset) {
      const answer = (await request('textDocument/completion', at(offset))) as { items: { label: string }[] } | null
      return answer?.items.map(({ label }) => label).sort() ?? []
    },
    async problems() {
      const { items } = (await request('textDocument/diagnostic', { textDocument })) as { items: { message: string }[] }
      return items.map(({ message }) => message)
    },
    async stop() {
      child.kill()
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Connection = {
  request(method: string, params: unknown): Promise<unknown>
  notify(method: string, params: unknown): void
}

function connectionTo({ stdin, stdout }: ChildProcess): Connection {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: unknown): void }>()
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  const receive = ({ id, method, params, result, error }: Message) => {
    if (id === undefined) return
    // The server asks for settings, and registers what it watches.
    if (method !== undefined) return send({ id, result: params?.items?.map(() => null) ?? null })
    const { resolve, reject } = waiting.get(id) ?? {}
    waiting.delete(id)
    if (error === undefined) resolve?.(result)
    else reject?.(new Error(JSON.stringify(error)))
  }
  let received = Buffer.alloc(0)
  stdout?.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const end = received.indexOf('\r\n\r\n')
      const [, length] = /Content-Length: (\d+)/i.exec(received.toString('latin1', 0, Math.max(end, 0))) ?? []
      if (length === undefined || received.length < end + 4 + Number(length)) return
      const message = received.toString('utf8', end + 4, end + 4 + Number(length))
      received = received.subarray(end + 4 + Number(length))
      receive(JSON.parse(message))
    }
  })
  let last = 0
  return {
    request(method, params) {
      const id = ++last
      const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
      send({ id, method, params })
      return answer
    },
    notify: (method, params) => send({ method, params }),
  }
}
