// A modal dialog. Mantine's own has a <header>, which is a second banner of the page.
import { Modal, type ModalRootProps } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './dialog.module.css'

interface Props extends Pick<ModalRootProps, 'size' | 'closeOnEscape' | 'closeOnClickOutside'> {
  title: string
  /** Undefined for a dialog that has to be answered. */
  onClose: (() => void) | undefined
  blur?: number
  children: ReactNode
}

export function Dialog({ title, onClose, blur, children, ...rest }: Props) {
  return (
    <Modal.Root
      opened
      onClose={onClose ?? (() => {})}
      closeOnEscape={onClose !== undefined}
      closeOnClickOutside={onClose !== undefined}
      {...rest}
    >
      <Modal.Overlay {...(blur !== undefined && { blur })} />
      <Modal.Content>
        <div className={styles.head}>
          <Modal.Title>{title}</Modal.Title>
          {onClose && <Modal.CloseButton aria-label="Close" />}
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
