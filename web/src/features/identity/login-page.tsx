import { login } from '@rowmill/contract';
import { useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import { useArrivalMessage } from '../../lib/hooks/use-arrival-message.ts';
import { useForm } from '../../lib/hooks/use-form.ts';
import { useTitle } from '../../lib/hooks/use-title.ts';
import { paths } from '../../lib/paths.ts';
import { signIn } from '../../lib/session.ts';
import { settings } from '../../lib/settings.ts';
import * as texts from '../../texts/identity.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { Entrance } from './entrance.tsx';

export function LoginPage() {
  useTitle(texts.signIn);
  const navigate = useNavigate();
  const reason = useArrivalMessage();
  const element = useRef<HTMLFormElement>(null);
  const form = useForm(async ({ email = '', password = '' }, send) => {
    signIn(await send(login, { email, password }));
    await navigate(paths.root);
  });
  function enterAs(person: { email: string; password: string }) {
    for (const name of ['email', 'password'] as const) {
      const field = element.current?.elements.namedItem(name) as HTMLInputElement;
      field.value = person[name];
    }
    element.current?.requestSubmit();
  }
  return (
    <Entrance title={texts.signIn} tab="login">
      <Form form={form} ref={element}>
        {!form.error && reason && <Notice isStatic>{reason}</Notice>}
        <TextField label={texts.email} name="email" type="email" autoComplete="username" />
        <TextField
          label={texts.password}
          name="password"
          type="password"
          autoComplete="current-password"
        />
        <Button type="submit">{texts.signIn}</Button>
        <Link to={paths.reset}>{texts.forgotPassword}</Link>
      </Form>
      <DemoPeople busy={form.busy} onChoose={enterAs} />
    </Entrance>
  );
}

interface DemoProps {
  busy: boolean;
  onChoose: (person: { email: string; password: string }) => void;
}

function DemoPeople({ busy, onChoose }: DemoProps) {
  const { demo } = settings();
  if (!demo) return null;
  return (
    <section className="stack">
      <h3>{texts.isDemo}</h3>
      <p className="muted">
        <RichText
          text={texts.demoPeople}
          parts={{ outbox: <a href="/dev/mail">{texts.outbox}</a> }}
        />
      </p>
      {demo.people.map((person) => (
        <Button key={person.email} variant="secondary" busy={busy} onClick={() => onChoose(person)}>
          {person.role}
        </Button>
      ))}
    </section>
  );
}
