import type { AnsweredCall } from '../../src/rpc/dispatch/envelope.ts'
import { isCommonError } from '../../src/rpc/errorGroups.ts'

/** Checks that methods answer only the kinds of errors that their lists have. */
export class AnswerCheck {
  readonly #unlisted = new Set<string>()

  readonly see = ({ method, error }: AnsweredCall): void => {
    if (!method || !error || isCommonError(error) || method.errors?.includes(error)) return
    this.#unlisted.add(`${method.name} answered ${error}`)
  }

  /** Throws if a method answered an error that it does not list. */
  requireListedErrors(): void {
    if (this.#unlisted.size === 0) return
    const found = [...this.#unlisted].join(', ')
    this.#unlisted.clear()
    throw new Error(
      `${found}: add the kind to the \`errors\` of the method, then run npm run docs; if every method may have it, add it to commonErrors in rpc/errorGroups.ts`,
    )
  }
}
