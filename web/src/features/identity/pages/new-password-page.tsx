import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { useTitle } from '../../../lib/use-title.ts';
import * as texts from '../../../texts/identity.ts';
import { SetPasswordForm } from '../components/set-password-form.tsx';

export function NewPasswordPage() {
  useTitle(texts.setNewPassword);
  return (
    <div className="narrow stack-wide">
      <h1>{texts.setNewPassword}</h1>
      <p>{texts.signsOutAll}</p>
      <SetPasswordForm remedy={<Link to={paths.reset}>{texts.askForNewLink}</Link>} />
    </div>
  );
}
