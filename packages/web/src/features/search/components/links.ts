import type { Found } from '../api/search.ts'

export function titleOf(found: Found): string {
  if (found.kind === 'block') return found.id
  if (found.kind === 'transaction') return found.hash
  if (found.kind === 'function' || found.kind === 'event') return `${found.name} of ${found.contract}`
  return found.name ?? ('address' in found ? (found.address ?? '') : '')
}

export function linkTo(found: Found) {
  switch (found.kind) {
    case 'block':
      return { to: '/block/$id', params: { id: found.id } } as const
    case 'transaction':
      return { to: '/tx/$hash', params: { hash: found.hash } } as const
    case 'address':
    case 'token':
      return { to: '/address/$address', params: { address: found.address } } as const
    case 'function':
      return {
        to: '/address/$address',
        params: { address: found.address },
        search: { tab: 'contract', fn: found.selector },
      } as const
    case 'event':
      return { to: '/address/$address', params: { address: found.address }, search: { tab: 'contract' } } as const
    case 'workspace':
      return { to: '/workspace/$id', params: { id: found.id } } as const
    case 'tracked':
      return { to: '/tracked', search: { ids: found.id } } as const
  }
}
