import { Logo } from '../ui/logo.tsx';

/** Looks like index.html before the script has loaded, so that nothing jumps. */
export function Opening() {
  return (
    <main className="waiting">
      <h1 className="logo">
        <Logo />
      </h1>
    </main>
  );
}
