type Props<Id extends string> = {
  label: string
  options: readonly { id: Id | undefined; name: string }[]
  chosen: Id | undefined
  onChoose: (id: Id | undefined) => void
}

/** A choice between a few options, side by side. */
export function Choice<Id extends string>({ label, options, chosen, onChoose }: Props<Id>) {
  return (
    <fieldset className="flex w-fit min-w-0 max-w-full overflow-x-auto rounded-md border border-line">
      <legend className="sr-only">{label}</legend>
      {options.map(({ id, name }) => (
        <button
          key={name}
          type="button"
          aria-pressed={id === chosen}
          onClick={() => onChoose(id)}
          className={`h-7 whitespace-nowrap px-2 text-xs ${id === chosen ? 'bg-raised font-medium text-ink' : 'text-soft hover:text-ink'}`}
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}
