import type { ReactNode } from 'react'
import styles from './admin.module.css'

/** The sentences at the top of a section that say what it is for. */
export const Lead = ({ children }: { children: ReactNode }) => <p className={styles.lead}>{children}</p>
