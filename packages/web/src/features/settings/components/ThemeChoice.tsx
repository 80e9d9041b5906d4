import { type Theme, themeStore, useTheme } from '../../../theme/theme.ts'
import { Panel } from '../../../ui/Panel.tsx'

const names: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' }

export function ThemeChoice() {
  const theme = useTheme()
  return (
    <Panel padded title="Theme">
      <fieldset className="flex flex-wrap gap-4">
        <legend className="sr-only">Theme</legend>
        {(Object.keys(names) as Theme[]).map((one) => (
          <label key={one} className="flex items-center gap-2 text-sm">
            <input type="radio" name="theme" checked={theme === one} onChange={() => themeStore.set(one)} />
            {names[one]}
          </label>
        ))}
      </fieldset>
    </Panel>
  )
}
