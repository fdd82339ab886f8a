export { SolutionPage as default } from '../solution.tsx';
