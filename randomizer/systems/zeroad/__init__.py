"""0 A.D.: maps of random map scripts. The catalogue names what others use; rooms follow below."""
