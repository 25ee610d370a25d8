import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import './gallery.css';
import { Toaster } from '../src/ui/toaster.tsx';
import { Gallery } from './gallery.tsx';

/** Every component in both themes. `npm run dev` serves it; the build leaves it out. */
const element = document.getElementById('root');
if (!element) throw new Error('The page has no place for the components.');
createRoot(element).render(
  <StrictMode>
    <MemoryRouter>
      <main>
        <h1 className="logo">Components</h1>
        <div className="gallery">
          {(['light', 'dark'] as const).map((theme) => (
            <section key={theme} className={`gallery-${theme}`} aria-label={theme}>
              <Gallery theme={theme} />
            </section>
          ))}
        </div>
      </main>
    </MemoryRouter>
    <Toaster />
  </StrictMode>,
);
