import { Logo } from '../ui/logo.tsx';

/** The same as what the page itself shows before its script has come, so that nothing jumps. */
export function Opening() {
  return (
    <main className="waiting">
      <h1 className="logo">
        <Logo />
      </h1>
    </main>
  );
}
