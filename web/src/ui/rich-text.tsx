import { createElement, Fragment, type ReactNode } from 'react';

/** A sentence with elements in it, such as "I agree to the {terms}.", in the text's order. */
export function RichText({
  text,
  parts,
}: {
  text: string;
  parts: Readonly<Record<string, ReactNode>>;
}): ReactNode {
  const pieces = text.split(/\{(\w+)\}/);
  return createElement(
    Fragment,
    null,
    ...pieces.map((piece, index) => (index % 2 === 1 ? parts[piece] : piece)),
  );
}
