import { maskUrl } from '../../shared/urls.ts'
import { httpUrl, text, trueOrFalse } from '../values.ts'
import { option } from './option.ts'

export const explorersOptions = {
  explorerUrl: option<string>({
    secret: true,
    flag: 'explorer-url',
    placeholder: 'URL',
    schema: httpUrl,
    namesUrls: true,
    defaultText: "Etherscan's, if there is a key",
    show: maskUrl,
    group: 'Explorers',
    description:
      "API compatible with Etherscan's v2, queried first for ABIs of the live chain's contracts. Explorers are queried only when an ABI is needed.",
  }),
  explorerKey: option<string>({
    secret: true,
    flag: 'explorer-key',
    placeholder: 'KEY',
    schema: text('a key without whitespace', /^\S+$/),
    defaultText: 'none',
    group: 'Explorers',
    description: 'API key of --explorer-url.',
  }),
  sourcifyUrl: option<string>({
    secret: true,
    flag: 'sourcify-url',
    placeholder: 'URL',
    schema: httpUrl,
    namesUrls: true,
    defaultText: 'https://sourcify.dev/server',
    show: maskUrl,
    group: 'Explorers',
    description: 'Sourcify server, queried second.',
  }),
  blockscoutUrl: option<string>({
    secret: true,
    flag: 'blockscout-url',
    placeholder: 'URL',
    schema: httpUrl,
    namesUrls: true,
    defaultText: 'the public instance of the chain, if there is one',
    show: maskUrl,
    group: 'Explorers',
    description: 'Blockscout instance of the live chain, queried last.',
  }),
  publicExplorers: option<boolean>({
    flag: 'public-explorers',
    placeholder: undefined,
    negated: true,
    schema: trueOrFalse,
    default: true,
    group: 'Explorers',
    description: 'Queries only explorers whose URL is configured. Forks of chain 1337 and 31337 never query others.',
  }),
}
