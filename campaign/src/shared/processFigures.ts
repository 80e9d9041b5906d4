import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** What a process holds, by Linux's /proc. */
export type ProcessFigures = { residentMegabytes: number; files: number; sockets: number }

export function readProcess(pid: number): ProcessFigures {
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  const targets = readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`)
    } catch {
      return ''
    }
  })
  const sockets = targets.filter((target) => target.startsWith('socket:')).length
  return { residentMegabytes: Math.round(Number(resident) / 1024), files: targets.length, sockets }
}
