import { createContext } from 'react';

/** Fields find their problem here by name, and submit buttons whether the form is being sent. */
export const FormContext = createContext<{ problems: Record<string, string>; busy: boolean }>({
  problems: {},
  busy: false,
});
