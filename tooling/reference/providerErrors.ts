import type { ErrorKind } from '../../packages/node/src/upstream/transport/rpcError.ts'
import { providerErrors } from '../../packages/node/test/upstream/providers/providerErrors.ts'
import { escapeCell, generated, page, table } from './markdown.ts'

/** What each kind means, and what is done. */
const kinds: Record<ErrorKind, { meaning: string; reaction: string }> = {
  reverted: { meaning: 'The execution failed.', reaction: 'The caller gets the error.' },
  'no batches': {
    meaning: 'The batch is refused, or is too large.',
    reaction: 'It is sent again in smaller batches, at last one by one. Larger ones are tried again after an hour.',
  },
  'no state': {
    meaning: 'It does not keep the state of that block.',
    reaction: 'Another URL is asked. If none has it, the call fails with `UPSTREAM_STATE_PRUNED`.',
  },
  'not yet': {
    meaning: 'The node that answered has not seen the block yet: it lags behind others at the same URL.',
    reaction: 'It is asked again for a few seconds.',
  },
  'too much': {
    meaning: 'The range of blocks or the result of a query is too large.',
    reaction: 'Queries of logs, receipts and traces of a block are split. Of other methods, the caller gets the error.',
  },
  'slow down': {
    meaning: 'The rate of requests is limited.',
    reaction: 'It is asked again after a pause, which `Retry-After` may name; batches become smaller for a while.',
  },
  denied: {
    meaning: 'It does not serve this key, or no longer: a wrong key, a plan that is used up.',
    reaction: 'Another URL is asked, and this one again later. If there is none, the error says to check the key.',
  },
  'no method': {
    meaning: 'It does not serve the method, or not in this plan.',
    reaction: 'Another URL is asked. What the network uses for speed only, it does without.',
  },
  broken: { meaning: 'It fails for now.', reaction: 'It is asked again, and then another URL.' },
  unclear: { meaning: 'It may be any of these.', reaction: 'It is asked again a few times.' },
  'wrong request': {
    meaning: 'The request is wrong: asked again, it would fail the same way.',
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
    "What a live chain's endpoint answers is read as one of these kinds, by its code and its words, and each kind has one reaction. [Providers](providers.md) says what to expect of whom.",
    table(
      ['kind', 'meaning', 'what is done'],
      names.map((kind) => [
        seen.includes(kind) ? `[${kind}](#${anchorOf(kind)})` : kind,
        kinds[kind].meaning,
        kinds[kind].reaction,
      ]),
    ),
    'The HTTP status decides for 429 (`slow down`), 401 and 402 (`denied`). Otherwise the error object does, if there is one. Without one, 403 and 404 are `denied`, and 408, 425 and 5xx are `broken`.',
    'The words below were published by users and in source code, where each row links to, until November 2026. A test holds that each is read as the kind that is said here. Where only a part of a message is known, it is that part.',
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
