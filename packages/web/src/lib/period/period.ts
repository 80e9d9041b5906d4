export const periods = ['10min', '1h', '1d', '1w', '1m'] as const

/** A period that ends now. */
export type Period = (typeof periods)[number]

export const periodFrom = (text: string | undefined): Period | undefined => periods.find((one) => one === text)
