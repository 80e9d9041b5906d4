import { themeStore, useIsDark } from '../../../theme/theme.ts'
import { Icon } from '../../../ui/Icon.tsx'

export function ThemeButton() {
  const isDark = useIsDark()
  const label = isDark ? 'Light theme' : 'Dark theme'
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => themeStore.set(isDark ? 'light' : 'dark')}
      className="rounded-md p-1.5 text-soft hover:bg-raised hover:text-ink"
    >
      <Icon name={isDark ? 'sun' : 'moon'} />
    </button>
  )
}
