import { createElement, Fragment, type ReactNode } from 'react';

/** A sentence of which some parts are more than text: "I agree to the {terms}." Each language puts them where it wants. */
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
