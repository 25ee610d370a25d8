// Beside those of the shell, which the sign-in page loads.
export const unsavedIsLost =
  'Judgements of answers are not saved. They are lost when you log out. “Save again” on the page of their batch keeps them.';
