// The icons in use. Each is decorative and has text next to it.
import type { ReactNode } from 'react'

const icon = (shape: ReactNode) =>
  function Icon({ size = 16 }: { size?: number }) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        {shape}
      </svg>
    )
  }

export const SearchIcon = icon(<path d="M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM14 14l-3.4-3.4" />)
export const DownIcon = icon(<path d="m4 6 4 4 4-4" />)
export const UpIcon = icon(<path d="m4 10 4-4 4 4" />)
export const DragIcon = icon(<path d="M6 3v.1M6 8v.1M6 13v.1M10 3v.1M10 8v.1M10 13v.1" />)
export const LeftIcon = icon(<path d="m10 3-5 5 5 5" />)
export const RightIcon = icon(<path d="m6 3 5 5-5 5" />)
export const CloseIcon = icon(<path d="m4 4 8 8M12 4l-8 8" />)
export const CheckIcon = icon(<path d="m3 8.5 3.5 3.5L13 4.5" />)
export const WarningIcon = icon(<path d="M8 2 1.5 13.5h13L8 2ZM8 6.5v3.5M8 12v.1" />)
