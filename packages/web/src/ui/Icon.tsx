const paths = {
  network: 'M12 3v4m0 10v4M3 12h4m10 0h4M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z',
  blocks: 'M12 3 4 7.2v9.6L12 21l8-4.2V7.2L12 3Zm0 0v18M4 7.2l8 4.3 8-4.3',
  transactions: 'M4 8h14l-4-4M20 16H6l4 4',
  workspaces: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  tracked: 'M3 17l5-6 4 4 5-8 4 5',
  shadow: 'M9 4a8 8 0 1 0 0 16M15 4a8 8 0 1 1 0 16M12 3v18',
  forecast: 'M6 18h11a4 4 0 0 0 .6-7.9A6 6 0 0 0 6.2 9.6 4.2 4.2 0 0 0 6 18Z',
  log: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  overrides: 'M4 7h10m4 0h2M4 17h2m4 0h10M16 4.5v5M8 14.5v5',
  snapshots: 'M4 8h3l2-3h6l2 3h3v11H4zM12 10a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7Z',
  import: 'M12 3v12m0 0 4-4m-4 4-4-4M4 17v3h16v-3',
  settings:
    'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Zm0-6v3m0 12v3M4.2 7.5l2.6 1.5m10.4 6 2.6 1.5m0-9-2.6 1.5m-10.4 6-2.6 1.5',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm5 12 5 5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'm5 13 4 4L19 7',
  close: 'M6 6l12 12M18 6 6 18',
  right: 'm9 6 6 6-6 6',
  down: 'm6 9 6 6 6-6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  moon: 'M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5Z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm0-5v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4',
  plus: 'M12 5v14M5 12h14',
  pin: 'M9 4h6l-1 6 3 3H7l3-3-1-6Zm3 9v7',
  note: 'M5 4h14v11l-5 5H5zM14 20v-5h5M9 9h6M9 13h3',
  wallet: 'M4 7h15v12H4zM4 7l11-3v3M15 12h4v3h-4z',
  play: 'M7 5v14l11-7L7 5Z',
} as const

export type IconName = keyof typeof paths

/** A decorative icon: the element around it has a label. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0"
    >
      <path d={paths[name]} />
    </svg>
  )
}
