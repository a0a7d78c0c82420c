import type { MantineThemeOverride } from '@mantine/core'

const small = { defaultProps: { size: 'sm' } }

// Plain objects: a reference to the components here would load all of them with the first screen.
export const theme: MantineThemeOverride = {
  primaryColor: 'harbor',
  primaryShade: 7,
  autoContrast: true,
  respectReducedMotion: true,
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  colors: {
    harbor: [
      '#eaf4fb',
      '#d3e6f3',
      '#a7cde6',
      '#78b2d9',
      '#519ccd',
      '#398ec6',
      '#2b87c4',
      '#1f5f8b',
      '#184d72',
      '#0f3a58',
    ],
  },
  components: {
    Button: { ...small, styles: { label: { fontWeight: 500 } } },
    // The description stands under the field, so that labels and fields in one row are aligned.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    TextInput: small,
    PasswordInput: small,
    NativeSelect: small,
    Textarea: small,
    Checkbox: small,
    // With scroll locking, a library would write a style element, which the content security policy rejects.
    Modal: {
      defaultProps: {
        lockScroll: false,
        transitionProps: { duration: 0 },
        centered: true,
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
  },
}
