import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'

const box =
  'w-full min-w-0 rounded-md border border-strong/60 bg-panel px-2 text-sm text-ink placeholder:text-soft/80 focus-visible:outline-2 focus-visible:outline-accent aria-invalid:border-bad disabled:opacity-60'

type Labelled = { label: ReactNode; hint?: ReactNode; error?: string | undefined }

/** A label, its field and its error. */
function Labelling({ label, hint, error, id, children }: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 flex items-baseline gap-2 font-medium text-soft text-xs">
        {label}
        {hint !== undefined && <span className="truncate font-normal">{hint}</span>}
      </label>
      {children}
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-1 text-bad text-xs">
          {error}
        </p>
      )}
    </div>
  )
}

export function TextField({
  label,
  hint,
  error,
  className = '',
  ...rest
}: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId()
  return (
    <Labelling {...{ label, hint, error, id }}>
      <input
        id={id}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={error && `${id}-error`}
        className={`${box} h-8 ${className}`}
        {...rest}
      />
    </Labelling>
  )
}

export function TextArea({
  label,
  hint,
  error,
  className = '',
  ...rest
}: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId()
  return (
    <Labelling {...{ label, hint, error, id }}>
      <textarea
        id={id}
        spellCheck={false}
        aria-invalid={error !== undefined}
        className={`${box} hex min-h-20 py-1.5 ${className}`}
        {...rest}
      />
    </Labelling>
  )
}

export function SelectField({
  label,
  hint,
  error,
  className = '',
  children,
  ...rest
}: Labelled & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId()
  return (
    <Labelling {...{ label, hint, error, id }}>
      <select id={id} className={`${box} h-8 ${className}`} {...rest}>
        {children}
      </select>
    </Labelling>
  )
}
