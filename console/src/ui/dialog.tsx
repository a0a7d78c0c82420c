// A modal dialog. Mantine's own has a <header>, which is a second banner of the page.
import { Modal, type ModalRootProps } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './dialog.module.css'

interface Props extends Pick<ModalRootProps, 'size' | 'closeOnEscape' | 'closeOnClickOutside'> {
  title: string
  onClose: () => void
  children: ReactNode
}

export function Dialog({ title, onClose, children, ...rest }: Props) {
  return (
    <Modal.Root opened onClose={onClose} {...rest}>
      <Modal.Overlay />
      <Modal.Content className={styles.content}>
        <div className={styles.head}>
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
