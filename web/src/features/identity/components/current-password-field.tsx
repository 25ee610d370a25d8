import * as texts from '../../../texts/identity.ts';
import { TextField } from '../../../ui/form/text-field.tsx';

/** Asked for before whatever a borrowed session must not be enough to do. */
export function CurrentPasswordField({
  label = texts.yourPassword,
  problem,
}: {
  label?: string;
  problem?: string | undefined;
}) {
  return (
    <TextField
      label={label}
      name="current_password"
      type="password"
      autoComplete="current-password"
      problem={problem}
    />
  );
}
