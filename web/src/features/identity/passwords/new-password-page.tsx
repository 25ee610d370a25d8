import { Link } from 'react-router';
import { useTitle } from '../../../lib/hooks/use-title.ts';
import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/identity.ts';
import { SetPasswordForm } from './set-password-form.tsx';

export function NewPasswordPage() {
  useTitle(texts.setNewPassword);
  return (
    <div className="narrow stack-wide">
      <h1>{texts.setNewPassword}</h1>
      <SetPasswordForm
        note={texts.signsOutAll}
        remedy={<Link to={paths.reset}>{texts.askForNewLink}</Link>}
      />
    </div>
  );
}
