import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { useTitle } from '../../../lib/use-title.ts';
import { SetPasswordForm } from '../components/set-password-form.tsx';

export function NewPasswordPage() {
  useTitle('Set a new password');
  return (
    <div className="narrow stack-wide">
      <h1>Set a new password</h1>
      <p>It signs out all your devices.</p>
      <SetPasswordForm remedy={<Link to={paths.reset}>Ask for a new link</Link>} />
    </div>
  );
}
