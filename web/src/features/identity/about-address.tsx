import { RichText } from '../../ui/rich-text.tsx';

/** A sentence about an email address. */
export function AboutAddress({ text, email }: { text: string; email: string }) {
  return (
    <p>
      <RichText text={text} parts={{ email: <strong className="long">{email}</strong> }} />
    </p>
  );
}
