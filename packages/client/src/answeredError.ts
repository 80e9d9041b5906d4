import { BaseError, RpcRequestError } from 'viem'

/** The error object that the network answered, found in an error of viem; `undefined` if there was no such answer. */
export function answeredError(error: unknown): { code: number; message: string; data: unknown } | undefined {
  const found = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : undefined
  if (!(found instanceof RpcRequestError)) return undefined
  return { code: found.code, message: found.details, data: found.data }
}
