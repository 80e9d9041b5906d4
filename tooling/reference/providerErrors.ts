import type { ErrorKind } from '../../packages/node/src/upstream/transport/rpcError.ts'
import { providerErrors } from '../../packages/node/test/upstream/providers/providerErrors.ts'
import { escapeCell, generated, page, table } from './markdown.ts'

/** The meaning of each kind, and the reaction of the network. */
const kinds: Record<ErrorKind, { meaning: string; reaction: string }> = {
  reverted: { meaning: 'The execution failed.', reaction: 'The caller gets the error.' },
  'no batches': {
    meaning: 'The batch is refused, or is too large.',
    reaction:
      'The network sends smaller batches, at last single requests, and tries larger batches again after an hour.',
  },
  'no state': {
    meaning: 'The endpoint does not keep the state of that block.',
    reaction: 'The network asks another URL. If no URL has the state, the call fails with `UPSTREAM_STATE_PRUNED`.',
  },
  'not yet': {
    meaning: 'The node that answered has not seen the block yet: it lags behind others at the same URL.',
    reaction: 'The network asks again for a few seconds.',
  },
  'too much': {
    meaning: 'The range of blocks or the result of a query is too large.',
    reaction:
      'The network splits queries of logs, receipts and traces of a block. For other methods, the caller gets the error.',
  },
  'slow down': {
    meaning: 'The rate of requests is limited.',
    reaction:
      'The network asks again after a pause, which `Retry-After` may name, and sends smaller batches for a while.',
  },
  denied: {
    meaning: 'The endpoint does not serve this key, or no longer: the key is wrong, or its plan is used up.',
    reaction:
      'The network asks another URL, and this one again later. If no other URL is configured, the error says to check the key.',
  },
  'no method': {
    meaning: 'The endpoint does not serve the method, or not in this plan.',
    reaction: 'The network asks another URL, and goes on without methods that it uses for speed only.',
  },
  broken: { meaning: 'The endpoint fails for now.', reaction: 'The network asks again, and then asks another URL.' },
  unclear: { meaning: 'The error may be of any of these kinds.', reaction: 'The network asks again a few times.' },
  'wrong request': {
    meaning: 'The request is wrong, and would fail in the same way again.',
    reaction: 'The caller gets the error.',
  },
}

/** docs/provider-errors.md */
export function providerErrorsReference(): string {
  const names = Object.keys(kinds) as ErrorKind[]
  const anchorOf = (kind: ErrorKind) => kind.replace(' ', '-')
  const seen = names.filter((kind) => providerErrors.some((each) => each.kind === kind))
  return page([
    '# Errors of providers',
    generated,
    "The network reads each error of a live chain's endpoint as one of these kinds, by its code and its words. Each kind has one reaction. [Providers](providers.md) compares the providers.",
    table(
      ['kind', 'meaning', 'reaction'],
      names.map((kind) => [
        seen.includes(kind) ? `[${kind}](#${anchorOf(kind)})` : kind,
        kinds[kind].meaning,
        kinds[kind].reaction,
      ]),
    ),
    'The HTTP status decides for 429 (`slow down`), 401 and 402 (`denied`). Otherwise the error object decides. Without an error object, 403 and 404 are `denied`, and 408, 425 and 5xx are `broken`.',
    'Users and projects published the words below until November 2026; each row links to its source. A test checks that the network reads each message as the kind that this page names. A row has a part of a message if only that part is known.',
    ...seen.flatMap((kind) => [
      `## ${kind}`,
      table(
        ['provider', 'HTTP', 'code', 'words', 'source'],
        providerErrors
          .filter((each) => each.kind === kind)
          .map(({ provider, status, code, message, source }) => [
            provider,
            String(status),
            code === undefined ? '' : String(code),
            escapeCell(message),
            `[seen](${source})`,
          ]),
      ),
    ]),
  ])
}
