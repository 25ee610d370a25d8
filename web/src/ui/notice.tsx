import type { ReactNode } from 'react';

interface Props {
  tone?: 'info' | 'success' | 'warning' | 'error';
  children: ReactNode;
}

export function Notice({ tone = 'info', children }: Props) {
  return (
    <div className={`notice ${tone}`} role={tone === 'error' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}
