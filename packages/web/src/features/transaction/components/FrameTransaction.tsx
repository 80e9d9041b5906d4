import type { Address } from 'viem'
import { Account } from '../../../components/Account.tsx'
import { Values } from '../../../components/Values.tsx'
import { formatBytes, formatInteger } from '../../../format/amount.ts'
import type { Decoded } from '../../../lib/chain/decoded.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Panel } from '../../../ui/Panel.tsx'

type FrameTransactionFields = NonNullable<Decoded['frameTransaction']>
type Frame = FrameTransactionFields['frames'][number]
type Signature = FrameTransactionFields['signatures'][number]

/** The calls of a frame transaction (EIP-8141), and the signatures that they may use. */
export function FrameTransaction({ transaction }: { transaction: FrameTransactionFields }) {
  const { frames, signatures, isProven } = transaction
  return (
    <Panel
      title="Frames"
      note={
        isProven
          ? 'These fields give the hash of the transaction'
          : 'These fields do not give the hash of the transaction'
      }
    >
      <ol className="divide-y divide-line" aria-label="Frames">
        {frames.map((frame, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: frames have an order and no names
          <FrameRow key={index} frame={frame} index={index} />
        ))}
      </ol>
      {signatures.length > 0 && (
        <ul className="divide-y divide-line border-line border-t" aria-label="Signatures">
          {signatures.map((signature, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: signatures have an order and no names
            <SignatureRow key={index} signature={signature} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function FrameRow({ frame, index }: { frame: Frame; index: number }) {
  const { mode, mayApprove, isBatched, target, gasLimit, stateGasLimit, value, data, dataSize } = frame
  return (
    <li className="space-y-1 px-3 py-2 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span className="text-soft">{index}</span>
        <Badge tone={mode === 'verify' ? 'accent' : 'neutral'}>{mode}</Badge>
        {mayApprove !== 'none' && <Badge tone="neutral">may approve {mayApprove}</Badge>}
        {isBatched && <Badge tone="neutral">with the next frame</Badge>}
        <Account address={target as Address} copy />
        {frame.function && <span className="hex font-medium">{frame.function.name}</span>}
        {value !== '0' && <Amount value={BigInt(value)} />}
        <span className="ml-auto text-soft text-xs">
          {formatInteger(BigInt(gasLimit))} gas
          {stateGasLimit !== null && `, ${formatInteger(BigInt(stateGasLimit))} for state`}
        </span>
      </p>
      {frame.function?.args ? (
        <Values values={frame.function.args} />
      ) : (
        dataSize > 0 && (
          <p className="hex break-all text-xs">
            {data} {dataSize > (data.length - 2) / 2 && `… ${formatBytes(dataSize)}`}
          </p>
        )
      )}
    </li>
  )
}

function SignatureRow({ signature: { scheme, signer, message, signature } }: { signature: Signature }) {
  return (
    <li className="space-y-1 px-3 py-2 text-xs">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone="neutral">{scheme}</Badge>
        {signer ? <Account address={signer as Address} copy /> : scheme !== 'arbitrary' && 'of the sender'}
        <span className="text-soft">{message ? `of ${message}` : 'of the transaction'}</span>
      </p>
      <p className="hex break-all">{signature}</p>
    </li>
  )
}
