import { resolve } from 'node:path'
import { formatEther, getAddress } from 'viem'
import type { Node } from '../app/createNode.ts'
import type { Config } from '../config/config.ts'
import { testMnemonic } from '../config/options.ts'
import { accountsFromMnemonic } from '../ethereum/accounts/accountsFromMnemonic.ts'
import { formatDerivationPath } from '../ethereum/accounts/derivationPath.ts'
import { sampleContracts } from '../sample/deployment.ts'
import { hexFromBytes } from '../shared/hex.ts'
import { maskUrl } from '../shared/urls.ts'
import { rulesText } from './remote/status.ts'

/** The summary that a user sees when the network has started. */
export function bannerText(node: Node, config: Config, { isSample }: { isSample: boolean }): string {
  const url = node.url()
  const { info, history, upstream } = node.services
  const { version, dataDirectory, upstreamChainId, chain, rulesAt } = info()
  const live = upstream()
  const { header } = history.head()
  const rules = rulesAt(header)
  const forks = live
    ? `fork of ${isSample ? 'the built-in sample chain' : chain.name} at ${maskUrl(live.url)}, left at block ${history.origin.number}`
    : 'a network that forks nothing'
  return [
    `Understudy ${version}: ${forks}`,
    ...(live?.reachable === false ? absenceNote() : []),
    '',
    `  Dashboard   ${url}`,
    `  JSON-RPC    ${url} and ${url.replace('http', 'ws')}`,
    ...(config.ipc === undefined ? [] : [`  IPC         ${resolve(config.ipc)}`]),
    `  Health      ${url}/health`,
    `  Chain id    ${history.chainId}`,
    `  Rules       ${rulesText({ ...rules, disagreement: rules.disagreement ?? null })}`,
    `  Head        block ${header.number}`,
    `  Data        ${config.ephemeral ? 'none (--ephemeral): the network is gone when this process ends' : `${config.databaseUrl ? dataDirectory : resolve(dataDirectory)} (start with the same directory to continue)`}`,
    '',
    ...accountLines(config),
    '',
    ...(isSample ? [...sampleLines(), ''] : []),
    'Try',
    ...examples.map(({ method, params }) => `  ${curl(url, config, method, params)}`),
    '',
    ...(history.chainId === upstreamChainId && !isSample ? replayNote(history.chainId, config) : []),
    `Listening on ${url} (Ctrl+C stops it)`,
    '',
  ].join('\n')
}

/** The funded accounts, with their keys if these are public. */
function accountLines({ accounts, balance, mnemonic, derivationPath }: Config): string[] {
  if (accounts === 0) return ['No funded accounts (--accounts 0).']
  const isPublic = mnemonic === testMnemonic
  const lines = accountsFromMnemonic(mnemonic, accounts, { path: derivationPath }).map(
    ({ address, privateKey }, index) => {
      const shown = isPublic ? `  ${hexFromBytes(privateKey)}` : ''
      return `  (${index}) ${address}${shown}`
    },
  )
  return [
    `Accounts, funded with ${formatEther(balance)} ETH each${isPublic ? ', and their private keys' : ''}`,
    ...lines,
    `  Mnemonic    ${isPublic ? mnemonic : '*** (your own)'}, at ${formatDerivationPath(derivationPath)}/N`,
    ...(isPublic ? ['  These keys are public: never use them on a live chain.'] : []),
  ]
}

function sampleLines(): string[] {
  const rows = Object.entries(sampleContracts).map(([name, address]) => `  ${name.padEnd(20)}  ${getAddress(address)}`)
  return ['Contracts of the sample chain, with active traders', ...rows]
}

function absenceNote(): string[] {
  return [
    '',
    'Note: detached from the live chain, which does not answer. Local state and known live state are served; other requests fail until it is back.',
  ]
}

/** Shadowing needs the id of the live chain. */
function replayNote(chainId: bigint, { shadow }: Config): string[] {
  return [
    `Note: chain id ${chainId} is the live chain's. Wallets cache nonces by chain id, and transactions signed here are valid`,
    shadow ? 'there too.' : 'there too. Choose your own with --chain-id N, in a new --data-dir.',
    '',
  ]
}

const someone = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const examples = [
  { method: 'dev_getNetworkInfo', params: [] },
  { method: 'dev_setBalance', params: [someone, '5000000000000000000'] },
  { method: 'dev_impersonateAccount', params: [someone] },
]

/** If the network has keys, the command has a placeholder for one. */
function curl(url: string, { apiKeys }: Config, method: string, params: readonly unknown[]): string {
  const key = apiKeys.length === 0 ? '' : ` -H 'Authorization: Bearer YOUR_KEY'`
  return `curl -s ${url}${key} -d '${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}'`
}
