import { sendResetLinkEmail } from '@rowmill/contract';
import { useState } from 'react';
import { Link } from 'react-router';
import { useForm } from '../../../lib/hooks/use-form.ts';
import { useTitle } from '../../../lib/hooks/use-title.ts';
import { paths } from '../../../lib/paths.ts';
import { settings } from '../../../lib/settings.ts';
import * as texts from '../../../texts/identity.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { Notice } from '../../../ui/notice.tsx';

export function ResetPage() {
  useTitle(texts.setNewPassword);
  const [answer, setAnswer] = useState<string | null>(null);
  const { onSubmit, problems, error, busy } = useForm(async ({ email = '' }, send) =>
    setAnswer((await send(sendResetLinkEmail, { email })).message ?? ''),
  );
  return (
    <div className="narrow stack-wide">
      <h1>{texts.setNewPassword}</h1>
      {answer && (
        <Notice tone="success">
          {answer} {settings().demo && <a href="/dev/mail">{texts.openOutbox}</a>}
        </Notice>
      )}
      <form className="stack" onSubmit={onSubmit} noValidate>
        {error && <Notice tone="error">{error}</Notice>}
        <TextField
          label={texts.email}
          name="email"
          type="email"
          autoComplete="username"
          problem={problems.email}
        />
        <Button type="submit" busy={busy}>
          {texts.sendMeLink}
        </Button>
      </form>
      <Link to={paths.login}>{texts.backToSignIn}</Link>
    </div>
  );
}
