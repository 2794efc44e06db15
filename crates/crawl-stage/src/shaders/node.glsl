// Size of each node, 0 to 1.
uniform sampler2D sizes;
// Smallest and largest radius in device pixels; device pixels of a CSS pixel; smallest radius of a
// page that was found.
uniform vec4 radii;

float radius_of(int node) {
    return mix(radii.x, radii.y, texelFetch(sizes, cell(node), 0).x);
}
