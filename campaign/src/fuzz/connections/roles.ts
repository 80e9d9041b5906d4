import type { Target } from '../target.ts'
import { keys, type Role, roles } from './keys.ts'

type Method = { name: string; 'x-role': Role }

type Refused = { status: number; error?: { code: number; message: string } }

/** Calls every method, or `limit` of them, with every role. Without the right to call it, the refusal is exact; with it, the parameters are refused. Returns how many calls were made. */
export async function tryRoles({ url }: Target, limit: number): Promise<number> {
  const all = await discover(url)
  const methods = all.filter((_, index) => index % Math.ceil(all.length / limit) === 0)
  const callers = [undefined, 'unknown', ...roles] as const
  for (const method of methods) await Promise.all(callers.map((role) => tryRole(url, method, role)))
  return methods.length * callers.length
}

async function tryRole(
  url: string,
  { name, 'x-role': needed }: Method,
  role: Role | 'unknown' | undefined,
): Promise<void> {
  const key = role === undefined ? undefined : role === 'unknown' ? 'unknown-0000' : keys[role]
  const { status, error } = await post(url, name, key)
  const wanted = expected(name, needed, role)
  if (status !== wanted.status || error?.code !== wanted.code || !error.message.includes(wanted.message))
    throw new Error(`${name} as ${role ?? 'no role'} was answered HTTP ${status} ${JSON.stringify(error)}`)
}

/** Parameters that every method refuses, so that nothing changes. */
const wrongParams = 'nope'

function expected(name: string, needed: Role, role: Role | 'unknown' | undefined) {
  if (role === undefined) return { status: 401, code: 4100, message: 'send an API key' }
  if (role === 'unknown') return { status: 401, code: 4100, message: 'the API key is unknown' }
  if (roles.indexOf(role) < roles.indexOf(needed))
    return { status: 403, code: 4100, message: `${name} needs a key with the role ${needed}; this one has ${role}` }
  return {
    status: 200,
    code: -32602,
    message: 'invalid params: params: expected an array, or an object of parameters by name',
  }
}

async function post(url: string, method: string, key: string | undefined): Promise<Refused> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: wrongParams })
  const response = await fetch(url, { method: 'POST', headers, body })
  return { status: response.status, ...((await response.json()) as object) }
}

async function discover(url: string): Promise<Method[]> {
  const body = '{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}'
  const response = await fetch(`${url}/rpc/${keys.read}`, { method: 'POST', body })
  return ((await response.json()) as { result: { methods: Method[] } }).result.methods
}
