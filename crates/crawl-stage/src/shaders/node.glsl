// Size of each node, 0 to 1.
uniform sampler2D sizes;
// Minimum and maximum radius in device pixels; device pixels per CSS pixel; minimum radius of a
// discovered page.
uniform vec4 radii;

float radius_of(int node) {
    return mix(radii.x, radii.y, texelFetch(sizes, cell(node), 0).x);
}
