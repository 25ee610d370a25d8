import * as texts from '../../../texts/identity.ts';
import { TextField } from '../../../ui/form/text-field.tsx';

/** Required before actions that a borrowed session must not allow. */
export function CurrentPasswordField({ label = texts.yourPassword }: { label?: string }) {
  return (
    <TextField
      label={label}
      name="current_password"
      type="password"
      autoComplete="current-password"
    />
  );
}
